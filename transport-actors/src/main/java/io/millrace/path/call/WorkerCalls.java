package io.millrace.path.call;

import io.millrace.config.TransportSettings;
import io.millrace.ends.RequestBudget;
import io.millrace.path.packet.WorkerContext;
import io.millrace.protocol.congestion.AnswerLengths;
import io.millrace.protocol.transfer.AnswerMemory;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The services shared by the calls of all paths of one worker. On the worker's thread. */
public final class WorkerCalls implements DeferredCall.Home {
  private static final int POOLED_DEFERRED_CALLS = 4_096;

  private final WorkerContext worker;
  private final CallRoutes routes;
  private final RequestBudget requests;
  private final AnswerMemory answers;
  private final @Nullable AnswerLengths answerLengths;
  private final InboundCall inbound = new InboundCall();
  private final ArrayDeque<DeferredCall> deferred = new ArrayDeque<>();

  /**
   * No call is open yet.
   *
   * @param requests the node's memory for requests
   */
  public WorkerCalls(WorkerContext worker, CallRoutes routes, RequestBudget requests) {
    this.requests = requests;
    this.worker = worker;
    this.routes = routes;
    TransportSettings settings = worker.settings();
    answers = new AnswerMemory(settings.limits().answerBudgetBytes() / settings.workers().count());
    boolean isForeseeing =
        settings.nic().rates().forecastsAnswers() && worker.receiveBudget().isBounded();
    answerLengths = isForeseeing ? new AnswerLengths() : null;
  }

  @Override
  public WorkerContext context() {
    return worker;
  }

  CallRoutes routes() {
    return routes;
  }

  /** Memory for requests of peers until their answers, of the whole node. */
  RequestBudget requests() {
    return requests;
  }

  /** Memory of answers not yet at their callers. */
  public AnswerMemory answers() {
    return answers;
  }

  /** The lengths of answers, by route; null where nothing is to be foreseen. */
  @Nullable AnswerLengths answerLengths() {
    return answerLengths;
  }

  /** The request being handled now. */
  InboundCall inbound() {
    return inbound;
  }

  DeferredCall takeDeferred() {
    DeferredCall call = deferred.pollLast();
    return call == null ? new DeferredCall(this) : call;
  }

  @Override
  public void recycle(DeferredCall call) {
    if (deferred.size() < POOLED_DEFERRED_CALLS) {
      deferred.addLast(call);
    }
  }
}
