/** The running checkout, and other Java processes of the same checkout. */
@NullMarked
package io.millrace.samples.process;

import org.jspecify.annotations.NullMarked;
