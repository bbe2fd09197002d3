/**
 * The driver for libfabric: EFA, and every other provider of reliable datagrams with one-sided
 * writes.
 */
@NullMarked
package io.millrace.efa;

import org.jspecify.annotations.NullMarked;
