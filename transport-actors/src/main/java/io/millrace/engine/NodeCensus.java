package io.millrace.engine;

import io.millrace.path.peer.NodeServices;
import io.millrace.path.peer.SubmissionPort;
import io.millrace.path.peer.WorkerCensus;
import io.millrace.worker.WorkerDescription;
import java.util.ArrayList;
import java.util.List;

/**
 * The resources of a node at a moment: the figures must stay within bounds while the node works,
 * and be zero after the node's end. Bytes.
 *
 * @param workers each worker
 * @param bufferBytes used memory of sealed bytes
 * @param bufferPoolBytes all memory of sealed bytes
 * @param assemblyBytes memory set aside for messages that are put together
 * @param elementBytes memory set aside for elements of streams that have arrived
 * @param requestBytes memory set aside for requests that are not answered yet
 * @param inlineLeftBytes inline bytes not given to paths
 */
public record NodeCensus(
    List<WorkerCensus> workers,
    long bufferBytes,
    long bufferPoolBytes,
    long assemblyBytes,
    long elementBytes,
    long requestBytes,
    long inlineLeftBytes) {
  static NodeCensus of(TransportPool pool, NodeServices node) {
    List<WorkerCensus> workers = new ArrayList<>();
    for (WorkerDescription worker : pool.workers()) {
      SubmissionPort port = pool.port(worker.worker());
      WorkerCensus census = port.census();
      if (census != null) {
        workers.add(census);
      }
    }
    return new NodeCensus(
        List.copyOf(workers),
        pool.buffers().usedBytes(),
        pool.buffers().totalBytes(),
        pool.bodies().assembly().usedBytes(),
        node.elements().waiting().usedBytes(),
        node.requests().usedBytes(),
        node.terms().budget().leftBytes());
  }
}
