/** The checkout that runs, and other Java processes of it. */
@NullMarked
package io.millrace.samples.process;

import org.jspecify.annotations.NullMarked;
