/**
 * Bodies of transfers: read, sealed, opened and written on application threads; what the worker
 * knows of each is here, too, and says so.
 */
@NullMarked
package io.millrace.body;

import org.jspecify.annotations.NullMarked;
