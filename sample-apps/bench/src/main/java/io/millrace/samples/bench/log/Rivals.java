package io.millrace.samples.bench.log;

import io.millrace.samples.log.bench.BenchedLog;
import java.util.List;

/** Gives {@code millrace log bench} the other logs. */
public final class Rivals implements BenchedLog.Others {
  @Override
  public List<BenchedLog> logs() {
    return List.of(
        new BenchedLog("ratis", RatisLog.TERMS, RatisLog::start),
        new BenchedLog("jgroups-raft", JGroupsRaftLog.TERMS, JGroupsRaftLog::start));
  }
}
