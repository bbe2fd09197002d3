package io.millrace.samples.log.node;

import io.millrace.api.WorkerCall;
import io.millrace.api.WorkerHandler;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/** Handlers on the transport's workers, which must not block. */
final class WorkerServing {
  private WorkerServing() {}

  /** Answers when the handler's future completes, on the thread that completes the future. */
  static <R> WorkerHandler answering(
      FieldCodec<R> responses, Function<ByteString, CompletableFuture<R>> handler) {
    return call -> {
      ByteString request = request(call);
      WorkerCall.Later answer = call.defer();
      try {
        var _ =
            handler
                .apply(request)
                .whenComplete((response, failure) -> answer(answer, responses, response, failure));
      } catch (RuntimeException e) {
        answer.fail(e);
      }
    };
  }

  private static <R> void answer(
      WorkerCall.Later answer,
      FieldCodec<R> responses,
      @Nullable R response,
      @Nullable Throwable failure) {
    if (response != null) {
      answer.reply(responses.encode(response));
    } else if (failure != null) {
      answer.fail(failure);
    }
  }

  /** Takes news: answers at once, by a number without meaning. */
  static WorkerHandler taking(Consumer<ByteString> handler) {
    return call -> {
      handler.accept(request(call));
      call.reply(0, Long.BYTES).putLong(0, 0);
    };
  }

  private static ByteString request(WorkerCall call) {
    return copy(call.buffer(), call.payloadOffset(), call.payloadLength());
  }

  /** Returns a copy of bytes that the worker uses again. */
  static ByteString copy(DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    return ByteString.fromArrayUnsafe(bytes);
  }
}
