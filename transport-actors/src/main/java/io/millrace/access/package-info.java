/**
 * Authorisation: what a handshake proved of a peer, and the policy that decides whether the peer
 * may connect and which routes it may call.
 */
@NullMarked
package io.millrace.access;

import org.jspecify.annotations.NullMarked;
