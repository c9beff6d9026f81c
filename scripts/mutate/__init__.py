# SPDX-License-Identifier: Apache-2.0
"""Mutation: bugs that are planted on purpose, and what finds them. scripts/mutate.py is the command."""
