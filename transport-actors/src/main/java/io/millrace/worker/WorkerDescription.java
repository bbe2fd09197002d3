package io.millrace.worker;

import io.millrace.config.LinkSettings;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointCounters;
import io.millrace.loop.LoopCounters;
import io.millrace.nic.EndpointDescription;
import java.util.List;

/**
 * What a worker is, once its endpoint is open; its counters go on counting.
 *
 * @param worker its id
 * @param thread name of its thread
 * @param core the CPU it is pinned to, or -1
 * @param address where peers reach its endpoint
 * @param maxDatagramBytes what its endpoint sends and receives at most
 * @param loop counters of its loop
 * @param endpoint counters of its first endpoint
 * @param endpoints all of its endpoints, its own NIC's first
 * @param link the link of its own NIC, by which its receive budget is bounded
 */
public record WorkerDescription(
    int worker,
    String thread,
    int core,
    EndpointAddress address,
    int maxDatagramBytes,
    LoopCounters loop,
    EndpointCounters endpoint,
    List<EndpointDescription> endpoints,
    LinkSettings link) {}
