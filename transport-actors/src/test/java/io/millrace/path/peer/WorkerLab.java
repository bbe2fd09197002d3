package io.millrace.path.peer;

import io.millrace.config.TransportSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.driver.CompletionHandler;
import io.millrace.ends.BodyWork;
import io.millrace.ends.InlineBodyWork;
import io.millrace.handshake.AdvertisedNic;
import io.millrace.nic.EndpointDescription;
import io.millrace.nic.NicShare;
import io.millrace.nic.WorkerEndpoints;
import io.millrace.protocol.congestion.ReceiveBudget;
import java.util.List;

/** The paths of one worker over {@link WorkerEndpoints} with a single {@link FakeEndpoint}. */
public final class WorkerLab extends PathLab {
  private static final int POLL_LIMIT = 64;
  private static final int BLOCKS = 16;

  public final FakeEndpoint endpoint;
  public final WorkerEndpoints endpoints;

  public WorkerLab(FakeEndpoint endpoint) {
    this(endpoint, "", SMALL);
  }

  public WorkerLab(FakeEndpoint endpoint, String overrides, AeadProvider aead) {
    this(endpoint, overrides, aead, BLOCKS);
  }

  /** A lab whose bodies may take this number of blocks of 64 KiB. */
  public WorkerLab(FakeEndpoint endpoint, String overrides, AeadProvider aead, int blocks) {
    this(endpoint, overrides, aead, blocks, new ReceiveBudget(0, 0), new InlineBodyWork());
  }

  /** A lab whose bodies have their work run by {@code work}; other labs run this work inline. */
  public WorkerLab(FakeEndpoint endpoint, String overrides, BodyWork work) {
    this(endpoint, overrides, SMALL, BLOCKS, new ReceiveBudget(0, 0), work);
  }

  /** A lab whose link and queue bound the bytes that peers may send. */
  public WorkerLab(FakeEndpoint endpoint, ReceiveBudget receive) {
    this(endpoint, "", SMALL, BLOCKS, receive, new InlineBodyWork());
  }

  private WorkerLab(
      FakeEndpoint endpoint,
      String overrides,
      AeadProvider aead,
      int blocks,
      ReceiveBudget receive,
      BodyWork work) {
    this(endpoint, endpoints(endpoint, overrides), overrides, aead, blocks, receive, work);
  }

  private WorkerLab(
      FakeEndpoint endpoint,
      WorkerEndpoints endpoints,
      String overrides,
      AeadProvider aead,
      int blocks,
      ReceiveBudget receive,
      BodyWork work) {
    super(endpoints, endpoint.bufferCount(), overrides, aead, blocks, receive, work);
    this.endpoint = endpoint;
    this.endpoints = endpoints;
  }

  private static WorkerEndpoints endpoints(FakeEndpoint endpoint, String overrides) {
    return new WorkerEndpoints(
        List.of(endpoint),
        List.of(
            new EndpointDescription(
                "nic",
                AdvertisedNic.ONLY,
                "fake",
                endpoint.localAddress(),
                endpoint.counters(),
                new NicShare(TransportSettings.parse(overrides).nic().rates(), 1))));
  }

  @Override
  protected void poll(CompletionHandler turn) {
    endpoints.poll(turn, POLL_LIMIT, nowNs);
  }
}
