/**
 * Authorisation: the proved identity of a peer, and the policy that decides whether the peer may
 * connect and which routes the peer may call.
 */
@NullMarked
package io.millrace.access;

import org.jspecify.annotations.NullMarked;
