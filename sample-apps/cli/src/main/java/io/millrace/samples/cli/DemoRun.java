package io.millrace.samples.cli;

import io.millrace.api.Peer;
import io.millrace.api.Response;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.samples.cli.AnswerCheck.Sent;
import io.millrace.samples.cli.AnswerCheck.Verified;
import io.millrace.samples.cli.RecordFile.RecordStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * Sends a file's records as calls, once through a flow and once as futures, and checks every
 * answer.
 */
final class DemoRun {
  private static final long ANSWER_SECONDS = 20;

  private final Peer peer;
  private final RecordFile file;
  private final int parallelism;
  private final Progress progress;

  DemoRun(Peer peer, RecordFile file, int parallelism, Progress progress) {
    this.peer = peer;
    this.file = file;
    this.parallelism = parallelism;
    this.progress = progress;
  }

  /** Runs a pass through a flow of bounded parallelism. */
  Verified throughFlow(Route<ByteString, ByteString> route, ActorSystem<?> system)
      throws IOException, InterruptedException, ExecutionException {
    AnswerCheck check = new AnswerCheck();
    long startNs = System.nanoTime();
    try (RecordStream records = file.records()) {
      Numbering numbering = new Numbering();
      CompletionStage<Done> done =
          Source.fromIterator(() -> records)
              .map(numbering::sent)
              .mapAsync(
                  parallelism,
                  sent -> call(route, sent).thenApply(response -> Pair.create(sent, response)))
              .runWith(
                  Sink.foreach(answered -> onAnswer(check, answered.first(), answered.second())),
                  system);
      await(done.toCompletableFuture(), check::records, "no answer came");
    }
    return check.end(System.nanoTime() - startNs);
  }

  /** Runs a pass through futures, with a bounded number under way. */
  Verified throughFutures(Route<ByteString, ByteString> route)
      throws IOException, InterruptedException, ExecutionException {
    AnswerCheck check = new AnswerCheck();
    Queue<Underway> underway = new ArrayDeque<>();
    long startNs = System.nanoTime();
    try (RecordStream records = file.records()) {
      Numbering numbering = new Numbering();
      while (records.hasNext() || !underway.isEmpty()) {
        if (records.hasNext() && underway.size() < parallelism) {
          underway.add(start(route, numbering.sent(records.next())));
        } else {
          Underway oldest = underway.remove();
          Answer answer = answer(oldest);
          onAnswer(check, oldest.sent(), answer.response(), answer.atNs());
        }
      }
    }
    return check.end(System.nanoTime() - startNs);
  }

  /** Waits for a future as long as the count of finished work goes up. */
  static <T> T await(CompletableFuture<T> future, LongSupplier done, String otherwise)
      throws InterruptedException, ExecutionException {
    long before = -1;
    while (true) {
      try {
        return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        long now = done.getAsLong();
        if (now == before) {
          throw CommandException.failed(otherwise + " for " + ANSWER_SECONDS + " s, after " + now);
        }
        before = now;
      }
    }
  }

  private Underway start(Route<ByteString, ByteString> route, Sent sent) {
    CompletableFuture<Answer> answer =
        call(route, sent)
            .thenApply(response -> new Answer(response, System.nanoTime()))
            .toCompletableFuture();
    return new Underway(sent, answer);
  }

  private static Answer answer(Underway underway) throws InterruptedException, ExecutionException {
    try {
      return underway.answer().get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw CommandException.failed(
          "no answer came for "
              + ANSWER_SECONDS
              + " s; record "
              + underway.sent().number()
              + " is the next");
    }
  }

  private void onAnswer(AnswerCheck check, Sent sent, Response<ByteString> response) {
    onAnswer(check, sent, response, System.nanoTime());
  }

  private void onAnswer(AnswerCheck check, Sent sent, Response<ByteString> response, long nowNs) {
    check.onAnswer(sent, response, nowNs - sent.atNs());
    if (progress.isDue(nowNs)) {
      long percent = Math.min(100, check.recordBytes() * 100 / file.bytes());
      progress.show(
          String.format(
              Locale.ROOT,
              "%3d %% of %s verified, %s calls",
              percent,
              file.path().getFileName(),
              Figures.count(check.records())),
          nowNs);
    }
  }

  /** Each record has a priority and headers of its own. */
  private CompletionStage<Response<ByteString>> call(
      Route<ByteString, ByteString> route, Sent sent) {
    TransferOptions options =
        TransferOptions.DEFAULTS.withPriority(sent.priority()).withHeaders(sent.headers());
    return peer.unary(route, ByteString.fromArrayUnsafe(sent.record()), options).response();
  }

  private record Underway(Sent sent, CompletableFuture<Answer> answer) {}

  private record Answer(Response<ByteString> response, long atNs) {}

  /** Numbers records from 0 on. */
  private static final class Numbering {
    private long next;

    Sent sent(byte[] record) {
      return new Sent(next++, record, System.nanoTime());
    }
  }
}
