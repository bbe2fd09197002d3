/** Two workers by hand: a path and the path's network without actors, threads and sockets. */
@NullMarked
package io.millrace.path;

import org.jspecify.annotations.NullMarked;
