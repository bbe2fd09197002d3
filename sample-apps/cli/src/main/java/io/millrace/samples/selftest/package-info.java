/** The self-test of a driver on one host: for the first run on new hardware. */
@NullMarked
package io.millrace.samples.selftest;

import org.jspecify.annotations.NullMarked;
