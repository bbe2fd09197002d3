/**
 * The liveness of peers: a machine per path, which watches closely while something is outstanding
 * and now and then while nothing is.
 *
 * <p>Transfers never time out by themselves. While a peer shows any sign of life, its phases go on
 * backing off and asking again. Only when the peer is declared failed does the peer's owner end all
 * transfers of the peer, in the same turn of the worker.
 */
@NullMarked
package io.millrace.protocol.health;

import org.jspecify.annotations.NullMarked;
