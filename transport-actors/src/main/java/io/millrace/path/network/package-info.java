/** The networks of a worker as used by a path, and the rails leading to a peer. */
@NullMarked
package io.millrace.path.network;

import org.jspecify.annotations.NullMarked;
