package io.millrace.actor.peer;

import io.millrace.crypto.PathSecret;
import io.millrace.driver.EndpointAddress;

/**
 * What a handshake settled about one path.
 *
 * @param secret where the keys come from; the path that is opened with it owns it
 * @param initiator whether this side began the handshake
 * @param localWorker this side's worker
 * @param remoteWorker the peer's worker
 * @param remoteAddress where the peer's worker is reached
 * @param sendLimitBytes inline bytes that the peer allows from the start
 * @param receiveWindowBytes inline bytes that this side allows to be outstanding
 * @param remoteTransfers transfers that this side may have open at the peer
 * @param maxDatagramBytes what both sides take at most
 * @param rttNs the handshake's round trip
 */
public record PathTerms(
    PathSecret secret,
    boolean initiator,
    int localWorker,
    int remoteWorker,
    EndpointAddress remoteAddress,
    long sendLimitBytes,
    long receiveWindowBytes,
    int remoteTransfers,
    int maxDatagramBytes,
    long rttNs) {}
