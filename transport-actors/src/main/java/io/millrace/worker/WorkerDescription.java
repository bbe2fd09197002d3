package io.millrace.worker;

import io.millrace.config.LinkSettings;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointCounters;
import io.millrace.loop.LoopCounters;
import io.millrace.nic.EndpointDescription;
import java.util.List;

/**
 * The facts of a worker after the opening of its endpoint; the counters go on counting.
 *
 * @param worker the worker's id
 * @param thread name of the worker's thread
 * @param core the CPU of the pinned thread, or -1
 * @param address the address where peers reach the worker's endpoint
 * @param maxDatagramBytes the largest datagram that the worker's endpoint sends and receives
 * @param loop counters of the worker's loop
 * @param endpoint counters of the worker's first endpoint
 * @param endpoints all endpoints of the worker, its own NIC's first
 * @param link the link of the worker's own NIC, which bounds the receive budget
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
