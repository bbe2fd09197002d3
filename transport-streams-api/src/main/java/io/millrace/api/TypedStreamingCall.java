package io.millrace.api;

import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;

/**
 * A stream that a peer opened, decoded element by element.
 *
 * @param peer identity of the caller: its handshake address
 * @param priority 0 to 7, as the caller chose
 * @param headers the caller's headers; the handler owns the array
 * @param elements the requests, to be materialized once at most. If one cannot be decoded they fail
 *     with {@link io.millrace.api.codec.CodecException} after those ahead of it, and whatever the
 *     handler does, the caller's response fails with {@code REQUEST_NOT_DECODED}, unless it has
 *     ended already.
 */
public record TypedStreamingCall<Q>(
    String peer, int priority, byte[] headers, Source<Q, NotUsed> elements) {}
