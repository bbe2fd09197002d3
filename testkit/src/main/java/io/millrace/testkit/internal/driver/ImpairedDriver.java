package io.millrace.testkit.internal.driver;

import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * A driver whose endpoints lose, double, swap and corrupt what another driver receives, by a seed.
 * What is sent is not touched. Opening is safe on any thread.
 */
public final class ImpairedDriver extends ForwardingDriver {
  private final Impairment impairment;
  private final List<ImpairmentCounters> counters = new ArrayList<>();

  /** Spoils what endpoints of {@code delegate} receive. */
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

  /** The counters of every endpoint, in the order in which they were opened. */
  public List<ImpairmentCounters> counters() {
    synchronized (counters) {
      return List.copyOf(counters);
    }
  }
}
