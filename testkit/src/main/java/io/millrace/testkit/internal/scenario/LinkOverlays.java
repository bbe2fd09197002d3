package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.net.SimNetwork;
import io.millrace.testkit.sim.LinkSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.agrona.collections.Long2ObjectHashMap;

/** Faults of links that may overlap: cuts are counted, changed settings are stacked. */
final class LinkOverlays {
  private static final class State {
    private final LinkSettings base;
    private final List<UnaryOperator<LinkSettings>> changes = new ArrayList<>();
    private int cuts;

    private State(LinkSettings base) {
      this.base = base;
    }
  }

  private final SimNetwork network;
  private final Long2ObjectHashMap<State> states = new Long2ObjectHashMap<>();

  LinkOverlays(SimNetwork network) {
    this.network = network;
  }

  void cut(int from, int to) {
    if (state(from, to).cuts++ == 0) {
      network.cut(from, to);
    }
  }

  void uncut(int from, int to) {
    if (--state(from, to).cuts == 0) {
      network.heal(from, to);
    }
  }

  void change(int from, int to, UnaryOperator<LinkSettings> change) {
    State state = state(from, to);
    state.changes.add(change);
    apply(from, to, state);
  }

  void undo(int from, int to, UnaryOperator<LinkSettings> change) {
    State state = state(from, to);
    state.changes.remove(change);
    apply(from, to, state);
  }

  private void apply(int from, int to, State state) {
    LinkSettings settings = state.base;
    for (UnaryOperator<LinkSettings> change : state.changes) {
      settings = change.apply(settings);
    }
    network.link(from, to).settings(settings);
  }

  private State state(int from, int to) {
    long key = (long) from << Integer.SIZE | to;
    State state = states.get(key);
    if (state == null) {
      state = new State(network.link(from, to).settings());
      states.put(key, state);
    }
    return state;
  }
}
