/**
 * Whether a peer is there: one machine per peer, watched only while something is outstanding.
 *
 * <p>Transfers never time out by themselves. While a peer shows any sign of life, its phases go on
 * backing off and asking again; only when the peer is declared failed does its owner end all of its
 * transfers, in the same turn of the worker.
 */
@NullMarked
package io.millrace.protocol.health;

import org.jspecify.annotations.NullMarked;
