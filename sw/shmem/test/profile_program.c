// SPDX-License-Identifier: Apache-2.0
// A program of which a tool counts the calls: 3 puts of 20 bytes in all, one malloc, and what goes on inside is not its
// own. C11 and C++17.
#include <shmem.h>

int main(void) {
  const int two[2] = {7, 8};
  shmem_init();
  const int to = (shmem_my_pe() + 1) % shmem_n_pes();
  int *word = (int *)shmem_malloc(4 * sizeof(int));
#ifdef __cplusplus
  shmem_int_put(word, two, 2, to);
#else
  shmem_put(word, two, 2, to);
#endif
  shmem_int_put(word + 2, two, 1, to);
  shmem_putmem(word + 2, two, sizeof two, to);
  shmem_barrier_all();
  const int good = word[0] == 7 && word[1] == 8 && word[2] == 7 && word[3] == 8;
  shmem_free(word);
  shmem_finalize();
  return !good;
}
