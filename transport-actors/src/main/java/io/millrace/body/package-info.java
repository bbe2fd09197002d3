/**
 * Bodies of transfers: read, sealed, opened and written on application threads. The worker's view
 * of each body is here, too, and marked as such.
 */
@NullMarked
package io.millrace.body;

import org.jspecify.annotations.NullMarked;
