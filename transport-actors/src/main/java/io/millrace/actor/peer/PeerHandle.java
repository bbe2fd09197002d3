package io.millrace.actor.peer;

import io.millrace.actor.call.PeerCall;

/**
 * What the application holds of a peer: which worker serves it and where its calls go. Immutable;
 * any thread.
 *
 * @param identity the peer's handshake address, host:port
 * @param port the way to its worker
 * @param link the peer's place on that worker; its methods are for the worker's thread
 */
public record PeerHandle(String identity, SubmissionPort port, PeerLink link) {
  /** Submits a call made for {@link #link()}. */
  public void submit(PeerCall call) {
    port.submit(call);
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return identity.hashCode();
  }

  @Override
  public String toString() {
    return "PeerHandle[" + identity + " on worker " + port.worker() + "]";
  }
}
