package io.millrace.samples.sim;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.function.Predicate;

/** Bugs not in the transport, each of which the simulator must find if planted. */
enum TransportBug {
  /** The receiver forgets a received request, and executes the request again after a repetition. */
  DUPLICATE_DELIVERY("loss", "1..4", "at most once", "executed 2 times", 10) {
    @Override
    CodeChange change() {
      return new CodeChange(
          "io.millrace.protocol.transfer.ServedCalls",
          "onRequest",
          code -> code instanceof ArrayLoadInstruction load && load.opcode() == Opcode.IALOAD,
          3,
          (code, knownGeneration) -> code.pop2().iconst_0());
    }
  },

  /** The regions granted to a peer are not taken back at the end of its path. */
  LEAKED_REGION("clean", "24..27", "nothing left at the end", "granted bytes", 3) {
    @Override
    CodeChange change() {
      return CodeChange.withoutCall(
          "io.millrace.path.region.PathRegions", "close", "onHolderClosed");
    }
  },

  /** The application gets every output of a record's cipher, with a right tag or a wrong tag. */
  EARLY_RELEASE("calls", "18..20", "integrity", "the answer has", 10) {
    @Override
    CodeChange change() {
      return new CodeChange(
          "io.millrace.crypto.RecordCipher",
          "open",
          CodeChange.calls("openRecord"),
          1,
          (code, call) -> code.with(call).pop().iconst_1());
    }
  },

  /** A payload to be sealed is only authenticated, at both ends, so that the payload arrives. */
  READABLE_PAYLOAD("fabric", "1..4", "secret payload enciphered", "leaves a secret payload", 3) {
    @Override
    CodeChange change() {
      return new CodeChange(
          "io.millrace.transfer.Protection",
          "secretBytes",
          field(Opcode.GETSTATIC, "SEALED"),
          1,
          (code, ciphertext) -> code.aconst_null());
    }
  },

  /**
   * The close of a stream is not retransmitted after the loss of its packet. The bug is that
   * nothing happens at all, not that anything wrong happens: only the rule of liveness finds this
   * bug. The waiting transfer is a stream, and numbers of streams begin at 2^40.
   */
  LOST_CLOSE(
      "default",
      "13..16",
      "liveness",
      "every stream is over at both sides|: call 1099511\\d{6} ",
      4) {
    @Override
    CodeChange change() {
      return new CodeChange(
          "io.millrace.path.stream.StreamFrames",
          "find",
          code -> code instanceof TypeCheckInstruction cast && cast.opcode() == Opcode.CHECKCAST,
          1,
          (code, cast) ->
              code.with(cast)
                  .dup()
                  .instanceOf(ClassDesc.of("io.millrace.path.stream.StreamCloseFrame"))
                  .ifThen(isClose -> isClose.pop().aconst_null()));
    }
  },

  /**
   * The caller of a failed transfer hears that its own transport was closed, although the transport
   * is open.
   */
  CAUSELESS_CLOSE("calls", "6..16", "deserved failures", "ended with CLOSED", 3) {
    @Override
    CodeChange change() {
      ClassDesc outcome = ClassDesc.of("io.millrace.transfer.CallOutcome");
      return new CodeChange(
          "io.millrace.path.call.CallOutcomes",
          "<clinit>",
          field(Opcode.GETSTATIC, "HANDLER_FAILED"),
          1,
          (code, failed) -> code.getstatic(outcome, "CLOSED", outcome));
    }
  },

  /** A deadline passes after half of its time. */
  EARLY_EXPIRY("calls", "1..8", "deadlines kept", "expired after", 4) {
    @Override
    CodeChange change() {
      return new CodeChange(
          "io.millrace.path.call.PeerCall",
          "onKnown",
          code -> code instanceof OperatorInstruction sum && sum.opcode() == Opcode.LADD,
          1,
          (code, sum) -> code.iconst_1().lshr().ladd());
    }
  },

  /** A peer is given up after the first unanswered probe. */
  IMPATIENCE("calls", "2..9", "patience", "are promised", 7) {
    @Override
    CodeChange change() {
      return new CodeChange(
          "io.millrace.protocol.health.PeerLiveness",
          "onDeadline",
          CodeChange.calls("maxUnansweredProbes"),
          1,
          (code, settings) -> code.pop().iconst_1());
    }
  },

  /** A path probes again after half of its probe timeout. */
  EARLY_PROBE("calls", "1..8", "recovery timers never early", "asks again after", 2) {
    @Override
    CodeChange change() {
      return new CodeChange(
          "io.millrace.protocol.recovery.PathRecovery",
          "nextDeadlineNs",
          CodeChange.calls("intervalNs"),
          1,
          (code, interval) -> code.with(interval).iconst_1().lshr());
    }
  },

  /** Workers are a millisecond ahead when looking for due timers. */
  EARLY_TIMERS("calls", "1..4", "timers never early", "ns early", 2) {
    @Override
    CodeChange change() {
      return new CodeChange(
          "io.millrace.path.WorkerTurn",
          "run",
          CodeChange.calls("advance").or(CodeChange.calls("advanceTimers")),
          2,
          (code, advance) -> code.ldc(1_000_000L).ladd().with(advance));
    }
  },

  /** Messages of the handshake are sent eight times, the answers to strangers among them. */
  LOUD_ANSWERS(
      "calls", "1..4", "short answers to strangers", "answers 10\\.0\\.0\\.\\d:\\d+ with ", 2) {
    @Override
    CodeChange change() {
      ClassDesc handshake = ClassDesc.of("io.millrace.handshake.psk.PskHandshake");
      ClassDesc buffer = ClassDesc.of("io.millrace.memory.SegmentBuffer");
      return new CodeChange(
          "io.millrace.handshake.psk.PskHandshake",
          "give",
          CodeChange.calls("onMessage"),
          1,
          (code, send) -> {
            code.with(send);
            for (int again = 1; again < 8; again++) {
              code.aload(1).aload(0).getfield(handshake, "sent", buffer).iconst_0();
              code.aload(2).arraylength().lload(3).with(send);
            }
          });
    }
  },

  /** Packets missing below the newest packet are acknowledged with the newest. */
  WRONG_ACK("loss", "1..4", "acknowledged what arrived", "but has not opened", 2) {
    @Override
    CodeChange change() {
      return new CodeChange(
          "io.millrace.protocol.recovery.ReceivedPackets",
          "onNewLargest",
          field(Opcode.PUTFIELD, "newestRunStart"),
          1,
          (code, store) -> code.pop2().pop());
    }
  },

  /** A sender takes a token for its whole region, whatever part is authorised. */
  UNAUTHORISED_WRITE("calls", "1..16", "written as authorised", "writes \\d+ bytes under", 10) {
    @Override
    CodeChange change() {
      return new CodeChange(
          "io.millrace.protocol.region.TokenCache",
          "create",
          CodeChange.calls("authorisedBytes"),
          1,
          (code, bytes) ->
              code.invokevirtual(
                  ClassDesc.of("io.millrace.protocol.region.TokenGrant"),
                  "sizeBytes",
                  MethodTypeDesc.of(ConstantDescs.CD_int)));
    }
  },

  /** Arrived bytes are not taken off the bytes authorised and not arrived. */
  LASTING_BUDGET("calls", "1..4", "region access", "bytes count as authorised", 3) {
    @Override
    CodeChange change() {
      return new CodeChange(
          "io.millrace.protocol.region.RegionPool",
          "onWritten",
          code -> code instanceof OperatorInstruction rest && rest.opcode() == Opcode.ISUB,
          1,
          (code, rest) -> code.pop());
    }
  },

  /** A sealer leaves out every second key. */
  SKIPPED_KEY("calls", "1..8", "key phases only move on", "when phase \\d+ is next", 3) {
    @Override
    CodeChange change() {
      return new CodeChange(
          "io.millrace.crypto.ControlSealer",
          "rotate",
          code -> code instanceof ConstantInstruction one && one.opcode() == Opcode.ICONST_1,
          2,
          (code, one) -> code.iconst_2());
    }
  },

  /** An application thread goes into the worker's paths itself instead of handing over a call. */
  WRONG_LANE("calls", "45..52", "confinement", "touched outside of the turns of workers", 8) {
    @Override
    CodeChange change() {
      ClassDesc submission = ClassDesc.of("io.millrace.ends.Submission");
      MethodTypeDesc type = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long);
      return new CodeChange(
          "io.millrace.path.peer.SubmissionPort",
          "submit",
          code ->
              code instanceof InvokeInstruction call
                  && call.name().equalsString("submit")
                  && call.typeSymbol().parameterCount() == 1,
          1,
          (code, submit) ->
              code.swap().pop().lconst_0().invokeinterface(submission, "onTaken", type));
    }
  },

  /** A receiver does not hold back calls that depend on an unanswered request. */
  EARLY_DEPENDENT("calls", "49..56", "causality", "runs though|ran before|runs before", 8) {
    @Override
    CodeChange change() {
      return new CodeChange(
          "io.millrace.path.call.ServedCausality",
          "hold",
          CodeChange.calls("await"),
          1,
          (code, await) -> code.pop2().pop().pop2().pop().pop().iconst_1());
    }
  },

  /** A path goes on though its peer has closed it. */
  ENDLESS_PATH("calls", "1..16", "a path's life", "after the path was closed", 2) {
    @Override
    CodeChange change() {
      return CodeChange.withoutCall("io.millrace.path.packet.PathPackets", "onPeerClosed", "onEnd");
    }
  };

  private final String scenario;
  private final String seeds;
  private final String rule;
  private final String words;
  private final int mostLeft;

  /**
   * A bug.
   *
   * @param seeds the seeds; several of these must come to the bug
   * @param rule the rule that the bug breaks
   * @param words the rest of the message, a regular expression
   * @param mostLeft the number of steps, faults and unusual settings left after shrinking the run
   */
  TransportBug(String scenario, String seeds, String rule, String words, int mostLeft) {
    this.scenario = scenario;
    this.seeds = seeds;
    this.rule = rule;
    this.words = words;
    this.mostLeft = mostLeft;
  }

  private static Predicate<CodeElement> field(Opcode opcode, String name) {
    return code ->
        code instanceof FieldInstruction field
            && field.opcode() == opcode
            && field.name().equalsString(name);
  }

  /** Returns the change that plants the bug in the transport. */
  abstract CodeChange change();

  String scenario() {
    return scenario;
  }

  String seeds() {
    return seeds;
  }

  String rule() {
    return rule;
  }

  String words() {
    return words;
  }

  int mostLeft() {
    return mostLeft;
  }
}
