/** The code of the tutorial. */
@NullMarked
package io.millrace.samples.tutorial;

import org.jspecify.annotations.NullMarked;
