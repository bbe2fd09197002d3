package io.millrace.actor.peer;

import io.millrace.crypto.PathSecret;
import io.millrace.driver.EndpointAddress;

/**
 * What a handshake settled about one path.
 *
 * @param peer whose process this is
 * @param secret where the keys come from; the path that is opened with it owns it
 * @param initiator whether this side began the handshake
 * @param localWorker this side's worker
 * @param remoteWorker the peer's worker
 * @param remoteAddress where the peer's worker is reached
 * @param sendLimitBytes inline bytes that the peer allows from the start
 * @param receiveWindow inline bytes that this side allows
 * @param remoteTransfers transfers that this side may have open at the peer
 * @param maxDatagramBytes what both sides take at most
 * @param rttNs the handshake's round trip
 */
public record PathTerms(
    PeerIncarnation peer,
    PathSecret secret,
    boolean initiator,
    int localWorker,
    int remoteWorker,
    EndpointAddress remoteAddress,
    long sendLimitBytes,
    InlineWindow receiveWindow,
    int remoteTransfers,
    int maxDatagramBytes,
    long rttNs) {
  /** Inline bytes that this side allows to be outstanding. */
  public long receiveWindowBytes() {
    return receiveWindow.windowBytes();
  }

  /** The same without a share of the inline budget: of a path that is not taken. */
  public PathTerms withoutWindow() {
    return new PathTerms(
        peer,
        secret,
        initiator,
        localWorker,
        remoteWorker,
        remoteAddress,
        sendLimitBytes,
        new InlineWindow(receiveWindow.initialBytes(), 0),
        remoteTransfers,
        maxDatagramBytes,
        rttNs);
  }
}
