// SPDX-License-Identifier: Apache-2.0
/* How the backend vfio reaches the kernel: tests put a machine of their own there. */
#ifndef TOCSIN_VFIO_H
#define TOCSIN_VFIO_H

typedef int toc_i_ioctl_fn(int fd, unsigned long request, void *arg);
extern toc_i_ioctl_fn *toc_i_vfio_ioctl;

#endif
