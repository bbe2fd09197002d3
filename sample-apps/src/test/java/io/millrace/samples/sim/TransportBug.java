package io.millrace.samples.sim;

import io.millrace.testkit.sim.scenario.SeedRange;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;

/** Bugs that the transport does not have, each of which the simulator must find if it had. */
enum TransportBug {
  /**
   * The receiver of a request forgets that it had it, and executes it again when it comes again.
   */
  DUPLICATE_DELIVERY(
      new CodeChange(
          "io.millrace.protocol.transfer.ServedCalls",
          "onRequest",
          TransportBug::readsAnInt,
          3,
          (code, knownGeneration) -> code.pop2().iconst_0()),
      "loss",
      new SeedRange(1, 4),
      "at most once",
      "executed 2 times"),

  /** The regions that a peer was granted are not taken back when its path ends. */
  LEAKED_REGION(
      CodeChange.withoutCall("io.millrace.actor.peer.PathRegions", "close", "onHolderClosed"),
      "crash",
      new SeedRange(1, 4),
      "nothing left at the end",
      "granted bytes"),

  /** Whatever a cipher made of a record is given to the application, be its tag right or wrong. */
  EARLY_RELEASE(
      new CodeChange(
          "io.millrace.crypto.RecordCipher",
          "open",
          CodeChange.calls("openRecord"),
          1,
          (code, call) -> code.with(call).pop().iconst_1()),
      "default",
      new SeedRange(16, 17),
      "integrity",
      "the answer has"),

  /**
   * The close of a stream is not sent again when its packet was lost. That nothing wrong happens,
   * but nothing at all, is the bug: no rule but liveness can be broken by it.
   */
  LOST_CLOSE(
      new CodeChange(
          "io.millrace.actor.peer.StreamFrames",
          "find",
          code -> code instanceof TypeCheckInstruction cast && cast.opcode() == Opcode.CHECKCAST,
          1,
          (code, cast) ->
              code.with(cast)
                  .dup()
                  .instanceOf(ClassDesc.of("io.millrace.actor.peer.StreamCloseFrame"))
                  .ifThen(isClose -> isClose.pop().aconst_null())),
      "patterns",
      new SeedRange(13, 14),
      "liveness",
      "every stream is over at both sides"),

  /** Packets that are missing below the newest one are acknowledged with it. */
  WRONG_ACK(
      new CodeChange(
          "io.millrace.protocol.recovery.ReceivedPackets",
          "onNewLargest",
          code ->
              code instanceof FieldInstruction field
                  && field.opcode() == Opcode.PUTFIELD
                  && field.name().equalsString("newestRunStart"),
          1,
          (code, store) -> code.pop2().pop()),
      "loss",
      new SeedRange(1, 4),
      "acknowledged what arrived",
      "but has not opened");

  private final CodeChange change;
  private final String scenario;
  private final SeedRange seeds;
  private final String rule;
  private final String words;

  /**
   * A bug.
   *
   * @param change what makes the transport have it
   * @param seeds some of which must come to it
   * @param rule what it breaks
   * @param words what its message says besides
   */
  TransportBug(CodeChange change, String scenario, SeedRange seeds, String rule, String words) {
    this.change = change;
    this.scenario = scenario;
    this.seeds = seeds;
    this.rule = rule;
    this.words = words;
  }

  private static boolean readsAnInt(CodeElement code) {
    return code instanceof Instruction instruction && instruction.opcode() == Opcode.IALOAD;
  }

  CodeChange change() {
    return change;
  }

  String scenario() {
    return scenario;
  }

  SeedRange seeds() {
    return seeds;
  }

  String rule() {
    return rule;
  }

  String words() {
    return words;
  }
}
