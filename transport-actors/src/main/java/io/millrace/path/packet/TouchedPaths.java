package io.millrace.path.packet;

import java.util.ArrayList;

/**
 * The paths touched in this turn. Each path gets one look before the worker transmits and one at
 * the turn's end: acknowledgements, probes, the time to wake. A path touched during the last look
 * gets another look in the next turn. On the worker's thread; allocates only while it grows.
 */
public final class TouchedPaths {
  /** A path to look at. */
  interface Member {
    /** Notes that the path wants a look; returns whether the wish is news in this turn. */
    boolean startTouch();

    /** The look before the worker transmits. */
    void makeRoom();

    /** The last look of the turn; the touch ends with this look. */
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

  /** Lets waiting calls take the room left by ended calls. */
  public void makeRoom() {
    for (int i = 0; i < current.size(); i++) {
      current.get(i).makeRoom();
    }
  }

  /** Gives each path the last look of the turn. Returns whether a path had a look. */
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
