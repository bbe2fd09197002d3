@org.jspecify.annotations.NullMarked
package io.millrace.samples.log.bench;
