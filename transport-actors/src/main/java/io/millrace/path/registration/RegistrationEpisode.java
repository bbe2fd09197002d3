package io.millrace.path.registration;

import io.millrace.driver.DriverException;
import io.millrace.event.TransportEvents;
import org.jspecify.annotations.Nullable;

/**
 * The reduced mode of one kind of memory with one endpoint. The mode begins when the system refuses
 * to register memory, and ends when a registration succeeds again. Between, a registration is tried
 * at times that lie ever further apart. A mode that begins soon after another goes on with the
 * intervals of the other. Worker's thread only; time is passed in; allocates at refusals alone.
 */
public final class RegistrationEpisode {
  /** The time from a refusal to the next try, ns; doubled with each further refusal. */
  public static final long FIRST_RETRY_NS = 1_000_000_000L;

  /** The longest time from a refusal to the next try, ns. */
  public static final long LONGEST_RETRY_NS = 60_000_000_000L;

  private final String memory;
  private final String setting;
  private boolean isOn;
  private long begunNs;
  private long retryNs;
  private long delayNs;
  private long endedNs;
  private int kindsTold;
  private @Nullable Refusal refused;
  private long restoredAfterNs = -1;

  /** A refusal that nobody was told of. */
  private record Refusal(
      DriverException.Kind kind, String reason, long wantedBytes, long registeredBytes) {}

  /**
   * The registration works so far.
   *
   * @param memory the kind of memory, in a few words
   * @param setting the key whose lower value makes do with less registered memory
   */
  public RegistrationEpisode(String memory, String setting) {
    this.memory = memory;
    this.setting = setting;
  }

  /** Whether the system refused the latest try. */
  public boolean isOn() {
    return isOn;
  }

  /** Whether a registration may be tried now. */
  public boolean mayTry(long nowNs) {
    return !isOn || nowNs - retryNs >= 0;
  }

  /** The time from which a registration may be tried again, ns; only while the mode is on. */
  public long retryNs() {
    return retryNs;
  }

  /**
   * The system refused.
   *
   * @param wantedBytes the bytes that were to be registered
   * @param registeredBytes the bytes of this memory that are registered
   */
  public void onRefused(
      DriverException refusal, long wantedBytes, long registeredBytes, long nowNs) {
    if (!isOn) {
      boolean isSoon = delayNs > 0 && nowNs - endedNs < LONGEST_RETRY_NS;
      delayNs = isSoon ? delayNs : 0;
      isOn = true;
      begunNs = nowNs;
      retryNs = nowNs;
      kindsTold = 0;
    }
    if (nowNs - retryNs >= 0) {
      delayNs = delayNs == 0 ? FIRST_RETRY_NS : Math.min(2 * delayNs, LONGEST_RETRY_NS);
      retryNs = nowNs + delayNs;
    }
    int kind = 1 << refusal.kind().ordinal();
    if ((kindsTold & kind) == 0) {
      kindsTold |= kind;
      refused =
          new Refusal(
              refusal.kind(), String.valueOf(refusal.getMessage()), wantedBytes, registeredBytes);
    }
  }

  /** A registration that the system could have refused has succeeded. */
  public void onRegistered(long nowNs) {
    if (isOn) {
      isOn = false;
      endedNs = nowNs;
      restoredAfterNs = nowNs - begunNs;
    }
  }

  /** Emits the events of the changes since the last call. */
  public void tell(TransportEvents events, int worker) {
    Refusal refusal = refused;
    if (refusal != null) {
      refused = null;
      events.onRegistrationRefused(
          worker,
          memory,
          refusal.kind().text(),
          refusal.wantedBytes(),
          refusal.registeredBytes(),
          refusal.reason(),
          remedy(refusal.kind()));
    }
    if (restoredAfterNs >= 0) {
      long reducedNs = restoredAfterNs;
      restoredAfterNs = -1;
      events.onRegistrationRestored(worker, memory, reducedNs);
    }
  }

  private String remedy(DriverException.Kind kind) {
    if (kind.isMemory()) {
      return "raise the limit of locked memory (`ulimit -l`, or LimitMEMLOCK=infinity in a unit of"
          + " systemd), or lower "
          + setting;
    }
    return kind == DriverException.Kind.UNSUPPORTED
        ? "choose another driver for one-sided writes, or none"
        : "see the reason";
  }
}
