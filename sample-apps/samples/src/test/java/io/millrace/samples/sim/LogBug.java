package io.millrace.samples.sim;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.concurrent.CompletableFuture;

/** Former bugs of the replicated log, each of which its simulation must find. */
enum LogBug {
  /** A ballot is asked for before its own replica's promise is on the disk. */
  EARLY_PREPARE(3, "1..2", "on the disk before it is told", "asks for ballot") {
    @Override
    CodeChange change() {
      return new CodeChange(
          REPLICA,
          "lead",
          CodeChange.calls("after"),
          1,
          (code, call) ->
              code.invokeinterface(
                      ClassDesc.of("java.lang.Runnable"),
                      "run",
                      MethodTypeDesc.of(ConstantDescs.CD_void))
                  .pop()
                  .pop());
    }
  },

  /** A refusal names a promise that is not on the disk. */
  EARLY_REFUSAL(3, "2..5", "on the disk before it is told", "answers ballot") {
    @Override
    CodeChange change() {
      ClassDesc future = CompletableFuture.class.describeConstable().orElseThrow();
      return new CodeChange(
          REPLICA,
          "onPrepare",
          LogBug::isRemembered,
          1,
          (code, field) ->
              code.pop()
                  .aconst_null()
                  .invokestatic(
                      future,
                      "completedFuture",
                      MethodTypeDesc.of(future, ConstantDescs.CD_Object)));
    }
  },

  /** A leader with a failed disk remains the named leader. */
  STAYING_LEADER(3, "4..7", "liveness", "disks that have failed: \\[\\d") {
    @Override
    CodeChange change() {
      return new CodeChange(
          REPLICA, "appointed", CodeChange.calls("get"), 1, (code, call) -> code.pop2().iconst_0());
    }
  };

  private static final String REPLICA = "io.millrace.samples.log.node.Replica";

  private final int replicas;
  private final String seeds;
  private final String rule;
  private final String words;

  /**
   * A bug.
   *
   * @param seeds the seeds; a seed of these finds the bug
   * @param rule the broken rule
   * @param words a pattern in the message
   */
  LogBug(int replicas, String seeds, String rule, String words) {
    this.replicas = replicas;
    this.seeds = seeds;
    this.rule = rule;
    this.words = words;
  }

  /** Returns the change that plants the bug. */
  abstract CodeChange change();

  int replicas() {
    return replicas;
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

  private static boolean isRemembered(CodeElement code) {
    return code instanceof FieldInstruction field
        && field.opcode() == Opcode.GETFIELD
        && field.name().equalsString("remembered");
  }
}
