package io.millrace.spring;

import io.millrace.api.Transport;

/**
 * Makes choices for the transport that properties cannot express, such as an access policy. The
 * starter asks all beans of this type in their order, ahead of the start.
 */
@FunctionalInterface
public interface TransportCustomizer {
  /**
   * Changes the builder of the transport. A subscriber of {@link Transport.Builder#events} replaces
   * the subscriber for Micrometer: prefer {@link Transport#subscribe}.
   */
  void customize(Transport.Builder builder);
}
