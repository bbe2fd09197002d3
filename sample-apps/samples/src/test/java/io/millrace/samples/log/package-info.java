/** Tests of the replicated log. */
@org.jspecify.annotations.NullMarked
package io.millrace.samples.log;
