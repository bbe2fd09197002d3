/**
 * Transfers whose opening came in a packet too old to tell whether the packet came before: the
 * receiver asks their sender. Rules RP-1 to RP-7 of the protocol.
 */
@NullMarked
package io.millrace.protocol.replay;

import org.jspecify.annotations.NullMarked;
