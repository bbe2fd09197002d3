package io.millrace.testkit.internal.driver;

import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * A driver whose endpoints lose, double, swap and corrupt the datagrams received by another driver,
 * by a seed. Sent datagrams stay untouched. Opening is safe on any thread.
 */
public final class ImpairedDriver extends ForwardingDriver {
  private final Impairment impairment;
  private final List<ImpairmentCounters> counters = new ArrayList<>();

  /** Spoils the datagrams received by endpoints of {@code delegate}. */
  public ImpairedDriver(DriverProvider delegate, Impairment impairment) {
    super(delegate);
    this.impairment = impairment;
  }

  @Override
  public Endpoint open(EndpointSettings settings) throws DriverException {
    Endpoint endpoint = super.open(settings);
    ImpairmentCounters own = new ImpairmentCounters();
    synchronized (counters) {
      // Consecutive seeds give unrelated sequences: the generator mixes them.
      long seed = impairment.seed() + counters.size();
      counters.add(own);
      return new ImpairedEndpoint(endpoint, new ReceptionFaults(impairment, seed, own));
    }
  }

  /** Returns the counters of every endpoint, in the order of opening. */
  public List<ImpairmentCounters> counters() {
    synchronized (counters) {
      return List.copyOf(counters);
    }
  }
}
