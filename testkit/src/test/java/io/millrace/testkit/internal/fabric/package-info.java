/** Tests of the simulated fabric. */
@org.jspecify.annotations.NullMarked
package io.millrace.testkit.internal.fabric;
