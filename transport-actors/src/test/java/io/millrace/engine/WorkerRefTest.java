package io.millrace.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.millrace.actor.WorkerCommand;
import io.millrace.node.TransportException;
import io.millrace.path.peer.WorkerRemains;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.Test;

class WorkerRefTest {
  private final TestInbox<WorkerCommand> inbox = TestInbox.create("worker");
  private final WorkerRef worker = new WorkerRef(inbox.getRef());

  private CompletableFuture<WorkerRemains> ask() {
    return worker.ask(answer -> new WorkerCommand.Drain(false, answer));
  }

  @Test
  void shouldGiveTheAnswerAndKeepItWhenTheWorkerEnds() {
    CompletableFuture<WorkerRemains> answer = ask();
    assertFalse(answer.isDone());
    ((WorkerCommand.Drain) inbox.receiveMessage()).answer().complete(WorkerRemains.NONE);
    worker.onEnded("it is over");
    assertEquals(WorkerRemains.NONE, answer.join());
  }

  @Test
  void shouldFailWhatWasAskedBeforeTheEndAndAfterIt() {
    CompletableFuture<WorkerRemains> before = ask();
    worker.onEnded("it is over");
    CompletableFuture<WorkerRemains> after = ask();
    assertInstanceOf(TransportException.class, before.exceptionNow());
    assertInstanceOf(TransportException.class, after.exceptionNow());
    assertEquals("it is over", before.exceptionNow().getMessage());
    assertEquals("it is over", after.exceptionNow().getMessage());
    assertEquals(1, inbox.getAllReceived().size());
  }
}
