/** Bodies of transfers on application threads: read, sealed, opened, written. */
@NullMarked
package io.millrace.body;

import org.jspecify.annotations.NullMarked;
