package io.millrace.testkit.internal.path;

import io.millrace.path.packet.PeerIncarnation;
import io.millrace.path.packet.WorkerEnd;
import io.millrace.path.peer.HandshakePort;

/**
 * The handshakes of a pair, whose sides know the secret of their path from the start: a request for
 * a handshake has no effect, and the path keeps its secret.
 */
final class NoHandshakes implements HandshakePort {
  @Override
  public void connect(String identity, int worker) {
    // The pair has no second path.
  }

  @Override
  public void ask(String identity, int worker, long doubted) {
    // The peer never restarts.
  }

  @Override
  public void renew(String identity, int worker, long pathId, PeerIncarnation peer) {
    // The path goes on under its first secret.
  }

  @Override
  public void onSecret(long wireId, int worker, PeerIncarnation peer, long pathId) {
    // The worker finds its only path by itself.
  }

  @Override
  public void onSecretGone(long wireId) {
    // The worker finds its only path by itself.
  }

  @Override
  public boolean isKnown(long wireId) {
    return false;
  }

  @Override
  public void onPathEnded(String identity, PeerIncarnation peer) {
    // The calls of the path tell of its end.
  }

  @Override
  public boolean isNewest(PeerIncarnation peer) {
    return true;
  }

  @Override
  public void onFenced(PeerIncarnation newest, int worker) {
    // The peer has a single life.
  }

  @Override
  public void onNic(int worker, boolean isUp) {
    // The network of the pair is always up.
  }

  @Override
  public void onWorkerEnded(int worker, WorkerEnd end) {
    // The workers of a pair do not end.
  }
}
