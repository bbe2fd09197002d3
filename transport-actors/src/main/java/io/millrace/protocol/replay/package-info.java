/**
 * Transfers whose opening came in a packet that is too old to tell whether it came before: their
 * sender is asked. Rules RP-1 to RP-7 of the protocol.
 */
@NullMarked
package io.millrace.protocol.replay;

import org.jspecify.annotations.NullMarked;
