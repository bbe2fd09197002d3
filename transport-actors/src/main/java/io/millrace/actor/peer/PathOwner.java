package io.millrace.actor.peer;

/** Who is told what becomes of a path: its peer's actor. On the worker's thread. */
interface PathOwner {
  /** The path is closed and its transfers have failed. */
  void onPathEnded(PeerPath path);

  /** Handling the path threw; it handles nothing more until the owner closes it. */
  void onPathFault(PeerPath path, Throwable fault);
}
