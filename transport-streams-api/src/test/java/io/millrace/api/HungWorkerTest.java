package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.node.HangAction;
import io.millrace.node.HungWorker;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker that hangs in a supposedly non-blocking handler. */
@Timeout(90)
class HungWorkerTest {
  private static final Route<ByteString, ByteString> HANG = Route.bytes("hang");
  private static final ByteString BYTES = ByteString.fromString("x");

  @Test
  void shouldEndTheProcessWithItsCodeAndSayWhichWorkerHangsWhere() throws Exception {
    try (NodeProcess process = NodeProcess.startWithErrors(HangingNodeMain.class, "500 ms")) {
      process.await("ready");
      process.tell("echo");
      process.await("answered");
      process.tell("hang");
      String told = String.join(" ", process.await("Ending"));
      assertTrue(
          told.startsWith("Ending the process with code 70: worker 0 has made no progress for "),
          told);
      assertTrue(told.contains("; its thread millrace-"), told);
      process.awaitText("io.millrace.api.HangingNodeMain.spin");
      assertEquals(HangAction.EXIT_CODE, process.end());
    }
  }

  /** The whole process stands still for twice the time of the hang detection. */
  @Test
  void shouldNotTakeAStoppedProcessForAHungOne() throws Exception {
    stopAndGoOn("1 s", 2);
  }

  @Tag("soak")
  @Test
  void shouldNotTakeAProcessForHungThatWasStoppedForSixSeconds() throws Exception {
    stopAndGoOn("5 s", 6);
  }

  private static void stopAndGoOn(String hangAfter, int pauseS) throws Exception {
    try (NodeProcess process = NodeProcess.start(HangingNodeMain.class, hangAfter)) {
      process.await("ready");
      process.tell("echo");
      process.await("answered");
      process.signal("STOP");
      assertTrue(process.livesFor(pauseS, TimeUnit.SECONDS));
      process.signal("CONT");
      process.tell("echo");
      process.await("answered");
      assertEquals(0, process.end());
    }
  }

  @Test
  void shouldLeaveItToTheApplicationWhatIsDone() throws Exception {
    BlockingQueue<HungWorker> hung = new LinkedBlockingQueue<>();
    CountDownLatch over = new CountDownLatch(1);
    try (TwoNodes nodes =
        new TwoNodes(
            "millrace.workers.hang-after = 100 ms\n",
            server -> server.onHungWorker(hung::add),
            client -> client.onHungWorker(HangAction.NONE))) {
      nodes.server.serveOnWorker(
          HANG,
          call -> {
            waitFor(over);
            call.reply(call.buffer(), call.payloadOffset(), call.payloadLength());
          });
      Call<ByteString> call = nodes.client.peer(nodes.server.address()).unary(HANG, BYTES);
      HungWorker told = hung.poll(30, TimeUnit.SECONDS);
      over.countDown();
      assertTrue(told != null, "nobody was told to hang");
      assertEquals(0, told.worker());
      assertTrue(told.stackText().contains("HungWorkerTest.waitFor"), told.toString());
      assertEquals(BYTES, call.get(20, TimeUnit.SECONDS), "it went on");
      assertEquals(1, nodes.serverEvents().count("WorkerHung"));
    }
  }

  private static void waitFor(CountDownLatch over) {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
