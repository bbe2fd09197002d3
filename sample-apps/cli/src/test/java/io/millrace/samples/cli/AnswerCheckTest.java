package io.millrace.samples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.api.Response;
import io.millrace.samples.cli.AnswerCheck.Sent;
import io.millrace.samples.cli.AnswerCheck.Verified;
import io.millrace.samples.file.Sha256;
import io.millrace.transfer.Headers;
import java.util.HexFormat;
import java.util.List;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;

class AnswerCheckTest {
  private static final byte[] RECORD = "a record".getBytes(UTF_8);

  private final AnswerCheck check = new AnswerCheck();

  @Test
  void shouldPutTheFileTogetherFromRightAnswers() {
    check.onAnswer(sent(0, "mill"), right(sent(0, "mill")), 5);
    check.onAnswer(sent(1, "race"), right(sent(1, "race")), 7);

    Verified verified = check.end(100);

    assertEquals(2, verified.calls());
    assertEquals(8, verified.recordBytes());
    assertEquals(8 + 2 * 32, verified.answerBytes());
    assertEquals(List.of(1L, 1L, 0L, 0L, 0L, 0L, 0L, 0L), verified.perPriority());
    assertEquals(
        HexFormat.of().formatHex(Sha256.begin().digest("millrace".getBytes(UTF_8))),
        verified.digest());
  }

  @Test
  void shouldRefuseAnAnswerWithAnyWrongByte() {
    Sent sent = new Sent(0, RECORD, 0);
    byte[] answer = new Transformation().answer(RECORD);
    for (int i = 0; i < answer.length; i++) {
      byte[] wrong = answer.clone();
      wrong[i] ^= 1;
      Response<ByteString> response =
          new Response<>(ByteString.fromArrayUnsafe(wrong), sent.headers());

      CommandException e =
          assertThrows(CommandException.class, () -> check.onAnswer(sent, response, 1));
      assertEquals("the answer to record 0 has wrong bytes", e.getMessage());
    }
    assertEquals(0, check.records());
  }

  @Test
  void shouldRefuseOtherHeaders() {
    Sent sent = new Sent(0, RECORD, 0);
    ByteString answer = ByteString.fromArrayUnsafe(new Transformation().answer(RECORD));
    Response<ByteString> response = new Response<>(answer, Headers.EMPTY);

    CommandException e =
        assertThrows(CommandException.class, () -> check.onAnswer(sent, response, 1));
    assertEquals("the answer to record 0 has other headers", e.getMessage());
  }

  @Test
  void shouldRefuseTheAnswerToAnotherRecord() {
    Sent second = sent(1, "race");

    CommandException e =
        assertThrows(CommandException.class, () -> check.onAnswer(second, right(second), 1));
    assertEquals("the answer to record 1 came out of order", e.getMessage());
  }

  private static Sent sent(long number, String record) {
    return new Sent(number, record.getBytes(UTF_8), 0);
  }

  private static Response<ByteString> right(Sent sent) {
    ByteString answer = ByteString.fromArrayUnsafe(new Transformation().answer(sent.record()));
    return new Response<>(answer, sent.headers());
  }
}
