package io.millrace.actor.peer;

import io.millrace.crypto.AesKeySize;

/**
 * What both sides of a path have agreed upon by their adverts.
 *
 * @param remoteTransfers transfers that this side may have open at the peer
 * @param maxDatagramBytes what both sides take at most
 * @param keySize the longer keys of what both sides want
 * @param remoteHeadersBytes most bytes of headers that the peer takes
 * @param remoteCreditMs how long an inline limit of the peer holds; 0 is without end
 * @param queueNs how long the queues of both ways take to drain
 */
public record PathAgreement(
    int remoteTransfers,
    int maxDatagramBytes,
    AesKeySize keySize,
    int remoteHeadersBytes,
    int remoteCreditMs,
    long queueNs) {}
