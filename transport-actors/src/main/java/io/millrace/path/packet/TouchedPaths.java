package io.millrace.path.packet;

import java.util.ArrayList;

/**
 * The paths that something happened to in this turn; each gets one look before the worker transmits
 * and one at the turn's end: what to acknowledge, to probe, when to wake. A path that is touched
 * during the last look gets its own in the next turn. On the worker's thread; allocates only while
 * it grows.
 */
public final class TouchedPaths {
  /** What is looked at. */
  interface Member {
    /** Notes that it wants a look; returns whether that is news in this turn. */
    boolean startTouch();

    /** The look before the worker transmits. */
    void makeRoom();

    /** The last look of the turn; its touch ends with it. */
    void endTurn(long nowNs);
  }

  private ArrayList<Member> current = new ArrayList<>();
  private ArrayList<Member> next = new ArrayList<>();

  void add(Member path) {
    if (path.startTouch()) {
      current.add(path);
    }
  }

  /** Whether a path waits for a look. */
  public boolean isEmpty() {
    return current.isEmpty();
  }

  /** Lets calls that wait take the room that ended calls have left. */
  public void makeRoom() {
    for (int i = 0; i < current.size(); i++) {
      current.get(i).makeRoom();
    }
  }

  /** Gives each its last look of the turn. Returns whether there was any. */
  public boolean endTurn(long nowNs) {
    ArrayList<Member> paths = current;
    current = next;
    next = paths;
    for (int i = 0; i < paths.size(); i++) {
      paths.get(i).endTurn(nowNs);
    }
    boolean any = !paths.isEmpty();
    paths.clear();
    return any;
  }
}
