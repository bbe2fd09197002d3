/** What a path asks of the networks of its worker, and the rails that lead to a peer. */
@NullMarked
package io.millrace.path.network;

import org.jspecify.annotations.NullMarked;
