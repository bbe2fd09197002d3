package io.millrace.actor.peer;

import java.util.ArrayList;

/**
 * The paths that something happened to in this turn; each gets one look at its end: what to
 * acknowledge, to probe, when to wake. On the worker's thread; allocates only while it grows.
 */
public final class TouchedPaths {
  private final ArrayList<PeerPath> paths = new ArrayList<>();
  private final ArrayList<PeerPath> again = new ArrayList<>();

  void add(PeerPath path) {
    if (path.touch()) {
      paths.add(path);
    }
  }

  /** Adds a path that could not do what it wanted in its look: it gets another one next turn. */
  void addAgain(PeerPath path) {
    if (path.touch()) {
      again.add(path);
    }
  }

  /** Gives each its look and forgets it. Returns whether there was any. */
  public boolean endTurn(long nowNs) {
    int count = paths.size();
    for (int i = 0; i < count; i++) {
      paths.get(i).endTurn(nowNs);
    }
    paths.clear();
    paths.addAll(again);
    again.clear();
    return count > 0;
  }
}
