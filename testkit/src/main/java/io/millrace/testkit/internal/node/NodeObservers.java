package io.millrace.testkit.internal.node;

import io.millrace.engine.TransportPool;
import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimingWheel;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.event.Logging;

/** The observers of a cluster's nodes. */
final class NodeObservers implements NodeObserver, TimerObserver {
  private final List<NodeObserver> nodes = new ArrayList<>();
  private final List<CipherObserver> ciphers = new ArrayList<>();
  private final List<TimerObserver> timers = new ArrayList<>();
  private final List<PacketTamper> tampers = new ArrayList<>();

  void add(PacketTamper tamper) {
    tampers.add(tamper);
  }

  void add(NodeObserver observer) {
    nodes.add(observer);
  }

  void add(CipherObserver observer) {
    ciphers.add(observer);
  }

  void add(TimerObserver observer) {
    timers.add(observer);
  }

  /** The observers of ciphers; grows. */
  List<CipherObserver> ciphers() {
    return ciphers;
  }

  /** The tampers, which change packets; grows. */
  List<PacketTamper> tampers() {
    return tampers;
  }

  boolean isLiar(int node) {
    for (int i = 0; i < tampers.size(); i++) {
      if (tampers.get(i).isLiar(node)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void onPoolStarted(NodeLife life, TransportPool pool) {
    nodes.forEach(observer -> observer.onPoolStarted(life, pool));
  }

  @Override
  public void onDeadLetter(NodeLife life, Object message, String recipient) {
    nodes.forEach(observer -> observer.onDeadLetter(life, message, recipient));
  }

  @Override
  public void onLoggedError(NodeLife life, Logging.Error error) {
    nodes.forEach(observer -> observer.onLoggedError(life, error));
  }

  @Override
  public void onWheelTouched(NodeLife life, TimingWheel wheel) {
    for (int i = 0; i < timers.size(); i++) {
      timers.get(i).onWheelTouched(life, wheel);
    }
  }

  @Override
  public void onTimerDue(NodeLife life, Timer timer, long deadlineNs) {
    for (int i = 0; i < timers.size(); i++) {
      timers.get(i).onTimerDue(life, timer, deadlineNs);
    }
  }

  @Override
  public void onTimerFired(NodeLife life, Timer timer) {
    for (int i = 0; i < timers.size(); i++) {
      timers.get(i).onTimerFired(life, timer);
    }
  }

  @Override
  public void onLifeEnded(NodeLife life) {
    nodes.forEach(observer -> observer.onLifeEnded(life));
  }
}
