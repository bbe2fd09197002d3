package io.millrace.api.many;

import io.millrace.api.CallException;
import io.millrace.api.Peer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer of one peer, or the failure of the call to this peer.
 *
 * @param <R> the answer
 */
public final class PeerAnswer<R> {
  private final Peer peer;
  private final @Nullable R value;
  private final @Nullable CallException failure;

  PeerAnswer(Peer peer, @Nullable R value, @Nullable CallException failure) {
    this.peer = peer;
    this.value = value;
    this.failure = failure;
  }

  /** Returns the peer. */
  public Peer peer() {
    return peer;
  }

  /** Whether the peer has answered. */
  public boolean isSuccess() {
    return failure == null;
  }

  /** Returns the answer; empty if the call failed. */
  public Optional<R> answer() {
    return Optional.ofNullable(value);
  }

  /** Returns the failure of the call; empty if the peer has answered. */
  public Optional<CallException> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public String toString() {
    return peer.address() + ": " + (failure == null ? value : failure.getMessage());
  }
}
