/** Tests of the self-test. */
@org.jspecify.annotations.NullMarked
package io.millrace.samples.selftest;
