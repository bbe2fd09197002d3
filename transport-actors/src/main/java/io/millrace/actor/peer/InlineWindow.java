package io.millrace.actor.peer;

/**
 * What a path takes inline.
 *
 * @param initialBytes what the handshake allows the peer to send
 * @param windowBytes what it may have outstanding once it was told so; a share of the {@link
 *     InlineBudget}, which the path gives back when it ends
 */
public record InlineWindow(long initialBytes, long windowBytes) {}
