/** Other Java processes of this application. */
@NullMarked
package io.millrace.samples.process;

import org.jspecify.annotations.NullMarked;
