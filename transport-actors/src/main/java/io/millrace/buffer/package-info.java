/** Memory that travels between workers and applications. */
@NullMarked
package io.millrace.buffer;

import org.jspecify.annotations.NullMarked;
